"""The grammar of paths and selections, as text: thriftlens.grammar.PATHS, thriftlens.grammar.SELECTIONS."""

PATHS = """\
A path leads from a value to a value inside it: $.items[3].price

  $                     the value itself; at the front of a path it may be left out
  .name                 the field of that name
  .#5  #5               the field with that id
  [3]  [-1]             an element of a list or set, from the front or from the end
  [*]                   all elements
  [1:3]  [2:]  [:-1]    a slice: the first inclusive, the last exclusive
  {"key"}  {'key'}      an entry of a map by its key; escapes as in JSON, and \\xHH
  {7} {-2.5} {true}     keys that are numbers or bools
  {RED}                 keys of an enum, by member
  {x"0aff"}             any other key, as the hex of its wire bytes; a uuid may be quoted as text
  {*}                   the values of all entries
  {key 3}               the key itself of the fourth entry, as errors name it

With [*], a slice or {*}, get gives a list of all that is there, and an edit changes all of them.

  $.user.name    $.items[-1].price    $.items[*].sku    $.by_sku{"CUP-01"}.price    $.#2.#1
"""

SELECTIONS = """\
A selection says what to keep of a struct: { id user { name } items { sku price } }

  { id name }           these fields and no others; blanks or commas stand between them
  { user }              a field without braces: all of its value
  { user { name } }     of the field user only what stands in its braces; these lead through lists, sets and map values
  { * }                 everything, fields that the IDL does not know too
  { * -debug }          everything but debug; { -debug } is the same
  { #5 user { #1 } }    fields by id

Fields that the IDL does not know are kept only with * or an exclusion. Required fields, too, are kept only where they are
named: who reads the cut value has to know that.
"""
