" Written by editors/generate.py from the words of griddsl: do not edit.
if exists("b:current_syntax")
  finish
endif
syntax case match
syntax match gridOperator /\.\.\|[=!<>+\-*\/|]\+/
syntax match gridName /\<[A-Za-z_][A-Za-z0-9_]*\>/
syntax match gridBuiltin /\<\%(abs\|action\|agent\|backward\|carrying\|caves\|cell\|chebyshev\|count\|distance\|done\|dx\|dy\|empty\|euclid\|exp\|failure\|flags\|floor\|forward\|height\|here\|index\|inside\|left_of\|limit\|lowest\|mask\|max\|maze\|min\|mission\|noise\|nth\|opposite\|optimal_length\|path_distance\|patrol\|prev\|right_of\|room\|rooms\|self\|solvable\|sqrt\|start\|stay\|still\|strafe_left\|strafe_right\|success\|sum\|text\|turn_left\|turn_right\|up\|wall\|width\|x\|y\)\>/
syntax match gridWord /\<\%(act\|again\|ahead\|all\|and\|any\|around\|as\|aside\|at\|avoiding\|away\|becomes\|behind\|border\|bump\|by\|can\|cancel\|carries\|carry\|centered\|chance\|choose\|clip\|color\|column\|cone\|distinct\|div\|do\|down\|drift\|drop\|each\|edge\|else\|end\|enter\|every\|facing\|fail\|for\|free\|from\|go\|grid\|has\|hidden\|if\|in\|info\|is\|joystick\|layer\|least\|leave\|left\|let\|meet\|mod\|most\|move\|moves\|no\|not\|nowhere\|occluded\|of\|on\|one_way\|opaque\|or\|other\|out\|pickup\|pixels\|place\|portable\|position\|push\|pushable\|random\|rays\|reachable\|remove\|repeat\|retry\|reward\|right\|row\|scale\|seen\|sees\|shape\|slide\|solid\|sprite\|step\|steps\|the\|through\|to\|toggle\|toward\|truncate\|turn\|unless\|until\|view\|when\|where\|with\|within\|xor\)\>/
syntax match gridConstant /\<\%(false\|true\)\>/
syntax match gridNumber /\<[0-9]\+\%(x[0-9]\+\|\%(\.[0-9]\+\)\?\%([eE][+-]\?[0-9]\+\)\?%\?\)[A-Za-z_]\@!/
syntax match gridRule /^\%(each\|every\|on\|when\)\>/
syntax match gridStatement /^\%(actions\|agent\|agents\|allow\|contested\|define\|edge\|env\|generate\|illegal\|import\|info\|legend\|level\|limit\|look\|map\|maps\|mission\|object\|observe\|once\|order\|param\|region\|rewards\|score\|setup\|slip\|sticky\|swap\|tile\|turns\|use\|var\|variant\)\>/
syntax match gridString /"\%(\\.\|[^"\\]\)*"\?/
syntax match gridComment /#.*$/
syntax region gridDrawing start=/^\%(map\)\>/ end=/^\ze\S/ keepend transparent contains=gridMap,gridComment,gridString,gridNumber,gridRule,gridStatement,gridConstant,gridWord,gridBuiltin,gridName,gridOperator
syntax match gridMap /^[ \t]\+.*$/ contained
highlight default link gridComment Comment
highlight default link gridString String
highlight default link gridMap Special
highlight default link gridStatement Statement
highlight default link gridRule PreProc
highlight default link gridWord Keyword
highlight default link gridConstant Boolean
highlight default link gridBuiltin Identifier
highlight default link gridNumber Number
highlight default link gridOperator Operator
let b:current_syntax = "grid"
