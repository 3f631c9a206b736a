import { expect, it } from 'vitest'
import { parseForm } from './form-body.ts'

const type = 'multipart/form-data; boundary=x'
const form = (...fields: readonly (readonly [name: string, value: string])[]): Buffer =>
  Buffer.from(
    `${fields.map(([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--x--`,
  )

it('reads fields as JSON would say them', () => {
  expect(parseForm(form(['model', 'gpt-image-1'], ['n', '2'], ['stream', 'true']), type)?.body).toEqual({
    model: 'gpt-image-1',
    n: 2,
    stream: true,
  })
  expect(parseForm(form(['include[]', 'a'], ['include[]', 'b'], ['model', 'm']), type)?.body).toMatchObject({
    model: 'm',
  })
})

it.each(['model', 'n', 'stream', 'size', 'quality'])('refuses a form that has %s twice', (name) => {
  const twice = form([name, '1'], ['prompt', 'a cat'], [name, '2'])
  expect(() => parseForm(twice, type)).toThrow(expect.objectContaining({ code: 'invalid_request_body' }))
})
