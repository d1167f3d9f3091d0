"""The grammar of paths and selections, as text: thriftlens.grammar.PATHS,
thriftlens.grammar.SELECTIONS."""

PATHS = """\
A path leads from a value to a value inside it: $.items[3].price

  $                     the root value; optional at the start of a path
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
  {key 3}               the key of the fourth entry, as in errors

With [*], a slice or {*}, get returns a list of all matches, and an edit changes all of them.

  $.user.name    $.items[-1].price    $.items[*].sku    $.by_sku{"CUP-01"}.price    $.#2.#1
"""

SELECTIONS = """\
A selection lists the fields of a struct to keep: { id user { name } items { sku price } }

  { id name }           only these fields, separated by blanks or commas
  { user }              a field without braces: its complete value
  { user { name } }     only these parts of the field user; also of elements and of map values
  { * }                 everything, including fields that are not in the IDL
  { * -debug }          everything but debug; { -debug } is the same
  { #5 user { #1 } }    fields by id

Fields that are not in the IDL are copied only with * or an exclusion. Required fields, too, are
copied only if they are selected; readers of the result must accept that.
"""
