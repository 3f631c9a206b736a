import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formParts, mostFormParts } from './form-parts.ts'

const name = fc.stringMatching(/^[a-zA-Z_]{1,8}(\[\])?$/)
const field = fc.record({ name, text: fc.string() })
const file = fc.record({
  name,
  filename: fc.stringMatching(/^[a-z名]{1,6}\.wav$/),
  bytes: fc.uint8Array({ maxLength: 300 }),
})

/** A form encoded by the platform, as browsers and clients send it. */
const written = async (form: FormData): Promise<{ raw: Buffer; contentType: string }> => {
  const body = new Response(form)
  const contentType = body.headers.get('content-type') ?? ''
  return { raw: Buffer.from(await body.arrayBuffer()), contentType }
}

it('reads no more parts than any call has, and no endless heads', async () => {
  const of = async (count: number, fieldName: string): Promise<number | undefined> => {
    const form = new FormData()
    for (let index = 0; index < count; index += 1) form.append(fieldName, 'x')
    const { raw, contentType } = await written(form)
    return formParts(raw, contentType)?.length
  }
  expect([await of(mostFormParts, 'a'), await of(mostFormParts + 1, 'a')]).toEqual([mostFormParts, undefined])
  expect([await of(1, 'a'.repeat(16_000)), await of(1, 'a'.repeat(17_000))]).toEqual([1, undefined])
})

it('finds every part of an upload, byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(field, file), { maxLength: 8 }), async (entries) => {
      const form = new FormData()
      for (const entry of entries) {
        if ('text' in entry) form.append(entry.name, entry.text)
        else form.append(entry.name, new File([Uint8Array.from(entry.bytes)], entry.filename, { type: 'audio/wav' }))
      }
      const { raw, contentType } = await written(form)
      const found = formParts(raw, contentType) ?? []
      expect(
        found.map(({ name, filename, type, start, end }) => ({
          name,
          filename,
          type,
          bytes: raw.subarray(start, end).toString('latin1'),
        })),
      ).toEqual(
        entries.map((entry) =>
          'text' in entry
            ? // Lines of a form end as those of mail do.
              {
                name: entry.name,
                filename: undefined,
                type: '',
                bytes: Buffer.from(entry.text.toWellFormed().replaceAll(/\r?\n|\r/g, '\r\n')).toString('latin1'),
              }
            : {
                name: entry.name,
                filename: entry.filename,
                type: 'audio/wav',
                bytes: Buffer.from(entry.bytes).toString('latin1'),
              },
        ),
      )
    }),
    { numRuns: 300 },
  )
})

it.each([
  ['nothing', ''],
  ['another boundary', '--y\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--y--\r\n'],
  ['no end', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1'],
  ['half a head', '--x\r\nContent-Disposition: form-data; name="a"'],
])('answers nothing for %s', (_, raw) => {
  expect(formParts(Buffer.from(raw), 'multipart/form-data; boundary=x')).toBeUndefined()
})
