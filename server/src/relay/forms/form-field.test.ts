import { expect, it } from 'vitest'
import { withFormField } from './form-parts.ts'

const type = 'multipart/form-data; boundary=x1'
const part = (head: string, value: string): string =>
  `--x1\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`
const file = part('name="file"; filename="a.wav"\r\nContent-Type: audio/wav', '\r\nname="model"\r\n\r\n\u0000é')
const end = '--x1--\r\n'
const edit = (form: string, contentType = type): string =>
  withFormField(Buffer.from(form), contentType, 'model', 'other').toString()

it.each([
  ['first', part('name="model"', 'whisper-1') + file, part('name="model"', 'other') + file],
  ['last', file + part('name=model', 'whisper-1'), file + part('name=model', 'other')],
  ['empty', part('name="model"', '') + file, part('name="model"', 'other') + file],
  ['missing', file, part('name="model"', 'other') + file],
])('replaces the field where it is %s, and no other byte', (_, form, expected) => {
  expect(edit(form + end)).toBe(expected + end)
})

it('reads a quoted boundary', () => {
  expect(edit(part('name="model"', 'm') + end, 'Multipart/Form-Data; charset=x; boundary="x1"')).toBe(
    part('name="model"', 'other') + end,
  )
})

it('is not misled by a boundary inside a file', () => {
  const inside = part('name="file"; filename="a"', 'a --x1 b\n--x1')
  expect(edit(inside + part('name="model"', 'm') + end)).toBe(inside + part('name="model"', 'other') + end)
})

it('leaves what has no boundary as it is', () => {
  expect(edit('anything', 'multipart/form-data')).toBe('anything')
})
