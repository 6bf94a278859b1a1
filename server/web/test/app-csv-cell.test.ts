// Cells of the dashboard's CSV files.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cellOf } from '../src/app/candidates/csv_cell.ts'

// The same rows as in server/audit_log_export_test.go.
test('No part of a cell is a formula', () => {
  const unquoted = (cell: string) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
  for (const [text, want] of Object.entries({
    '': '', é: 'é', '1-2': '1-2', 'a;b': 'a;b', 'a, -b': "a, '-b", 'a,=1': "a,'=1", 'a|@A': "a|'@A", '["x","=1"]': '["x","\'=1"]', '5,-3': "5,'-3", '\n=1': "'\n'=1", '=1': "'=1", '\t=1': "'\t'=1", '\r=1': "'\r'=1",
    '\tx': "'\tx", ' =1': " '=1", '"=1"': '"\'=1"', '＝1': "'＝1", '＋1': "'＋1", '－1': "'－1", '＠A': "'＠A", 'a＝1': 'a＝1',
    'a;=1': "a;'=1", 'a; =1;+2': "a; '=1;'+2", 'a;"=1': 'a;"\'=1', 'a\t@A': "a\t'@A", 'a\n-1': "a\n'-1",
    'a;＝1': "a;'＝1", '{"a":";=1"}': '{"a":";\'=1"}', "'=1": "'=1", '\u00a0=1': "\u00a0'=1",
  })) assert.equal(unquoted(cellOf(text)), want)
})
