const headEnd = Buffer.from('\r\n\r\n')

/** The mark between the parts (RFC 2046 §5.1.1); undefined when the type names none. */
const boundaryOf = (contentType: string): string | undefined => {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? []
  return quoted ?? plain
}

const nameIn = (head: string): string | undefined => {
  const [, quoted, plain] = /^content-disposition:.*?;\s*name=(?:"([^"]*)"|([^\s;]+))/im.exec(head) ?? []
  return quoted ?? plain
}

/** Where the value of the first part of that name stands. */
const placeOf = (raw: Buffer, mark: Buffer, name: string): { start: number; end: number } | undefined => {
  let at = raw.indexOf(mark)
  while (at >= 0) {
    const head = raw.indexOf(headEnd, at)
    const next = raw.indexOf(mark, at + mark.length)
    if (head < 0 || next < 0) return undefined
    if (nameIn(raw.toString('latin1', at, head)) === name) {
      return { start: head + headEnd.length, end: next - '\r\n'.length }
    }
    at = next
  }
  return undefined
}

/** The same upload with another value in a field, which is added when it is not there; all other bytes stay as they came. */
export const withFormField = (raw: Buffer, contentType: string, name: string, value: string): Buffer => {
  const boundary = boundaryOf(contentType)
  if (boundary === undefined) return raw
  const mark = Buffer.from(`--${boundary}`, 'latin1')
  const place = placeOf(raw, mark, name)
  if (place === undefined) {
    const part = `\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    return Buffer.concat([mark, Buffer.from(part), raw.subarray(Math.max(0, raw.indexOf(mark)))])
  }
  return Buffer.concat([raw.subarray(0, place.start), Buffer.from(value), raw.subarray(place.end)])
}
