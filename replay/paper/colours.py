"""The colours of pages that are read and printed: sheets, reports, an evening's index, a season. They are dark on a
dark screen, and always light on paper."""

PALETTE = """
:root { --ground: #f6f5f1; --panel: #fff; --text: #1b1d20; --second: #555a62; --hair: #d8d6cf; --shade: #efede6; --felt: #e6ebe3; --edge: #6d7480;
  --s: #1b1d20; --h: #b3152b; --d: #0d59ad; --c: #14683a; --look: #8a4600; --look-ground: #fdf0d2; --wrong: #a11212;
  --line-1: #1b4f8f; --line-2: #a11212; --line-3: #2d6b2f; --line-4: #7a4a00; --line-5: #5b2a86; --line-6: #00666b; --bar: #b9b9b9 }
@media screen and (prefers-color-scheme: dark) { :root { --ground: #15171a; --panel: #1e2125; --text: #eceae4; --second: #acb0b6; --hair: #3a3e44;
  --shade: #26292e; --felt: #20281f; --edge: #7b828a; --s: #eceae4; --h: #ff8f98; --d: #82baff; --c: #7ed39b; --look: #ffc56b; --look-ground: #3a2c10;
  --wrong: #ff8f98; --line-1: #82baff; --line-2: #ff8f98; --line-3: #7ed39b; --line-4: #ffc56b; --line-5: #c9a6ff; --line-6: #6fd6d9; --bar: #5d636b } }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; color-scheme: light dark }
"""
"""CSS colours by name: suits by their letters, highlights, the lines of a plot in order."""
