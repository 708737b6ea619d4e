"""The command line: click, and nothing else.

Modules, syntax trees and events live to the end of a command: looking through them for circles finds nothing, and took
a twelfth of its start. So that is done seldom, from before the first of them is there.
"""

import gc

gc.set_threshold(50_000, 20, 20)
