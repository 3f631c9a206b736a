import { boundaryOf, formParts } from './form-parts.ts'

/** The same upload with another value in a field, which is added when it is not there; all other bytes stay as they came. */
export const withFormField = (raw: Buffer, contentType: string, name: string, value: string): Buffer => {
  const parts = formParts(raw, contentType)
  if (parts === undefined) return raw
  const place = parts.find((part) => part.name === name)
  if (place !== undefined) {
    return Buffer.concat([raw.subarray(0, place.start), Buffer.from(value), raw.subarray(place.end)])
  }
  const mark = `--${boundaryOf(contentType)}`
  const part = `${mark}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  return Buffer.concat([Buffer.from(part), raw.subarray(raw.indexOf(mark))])
}
