// How the pages compare texts that people type. Without a browser.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { matchColumns as columnsOfPeople, rowsOf } from '../src/app/invite/columns.ts'
import { readText } from '../src/app/invite/sheet.ts'
import { addressKey, isBlank, plain, visible } from '../src/shared/text.ts'

describe('Texts that people type', () => {
  test('a text is the same however it is typed', () => {
    for (const [one, ...others] of [
      ["O'Neill", 'O’Neill', 'oʼneill', 'O´NEILL', '\u200eO’Neill\u200f ', 'O`neill'],
      ['Nguyễn Việt', 'Nguyễn Việt'.normalize('NFD'), 'NGUYỄN VIỆT'],
      ['Jean-Luc', 'Jean‑Luc', 'jean–luc', 'JEAN−LUC', 'Jean-\u200bLuc'],
      ['Ola Nordmann', 'Ola\u00a0Nordmann', ' ola  nordmann ', 'Ola\u3000Nordmann', 'Ola Nord\u00admann'],
      ['Weiß', 'WEISS', 'weiss'],
      ['İpek', 'ipek', 'IPEK', 'I\u0307pek'],
      ['SATO', 'ＳＡＴＯ', 'sato'],
    ]) {
      for (const other of others) assert.equal(plain(other), plain(one!), JSON.stringify(other))
      assert.equal(plain(plain(one!)), plain(one!))
    }
    for (const [one, other] of [['C', 'C++'], ['a-b', 'ab'], ['é', 'e'], ['1.5', '15'], ['Jean Luc', 'JeanLuc']]) {
      assert.notEqual(plain(one!), plain(other!))
    }
  })

  test('a text that nobody can see is blank', () => {
    for (const blank of ['', ' ', '\u00a0', '\u200b', '\u3000', '\u2800', '\u3164', '\ufeff', '\u00ad', '\u200d\ufe0f']) {
      assert.ok(isBlank(blank), JSON.stringify(blank))
    }
    for (const seen of ['x', '.', '\u200bx', 'あ', '\u0301']) assert.ok(!isBlank(seen), JSON.stringify(seen))
    assert.equal(visible('\u202aada@example.com\u202c\u200b\u00a0'), 'ada@example.com')
    assert.equal(visible('می\u200cخواهم'), 'می\u200cخواهم')
  })

  test('tables have headers in any form, and an address twice in any form', () => {
    const cells = readText('\ufeffÜbername;E‑Mail\u200b;Vorname;NACHNAME\nx;\u202agrä@bücher.example\u202c;Mei;Li\ny;Gra\u0308@XN--BCHER-KVA.example;Mei;Li')
    const match = columnsOfPeople(cells)
    assert.deepEqual(match.columns.slice(1), ['email', 'firstName', 'lastName'])
    const [first, second] = rowsOf(cells, match).map(({ values }) => values.email)
    assert.equal(first, 'grä@bücher.example')
    assert.equal(addressKey(second!), addressKey(first!))
  })
})
