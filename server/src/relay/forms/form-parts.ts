/** One field or file of an upload; its value stands between `start` and `end`. */
export interface FormPart {
  readonly name: string
  /** Set for files only. */
  readonly filename: string | undefined
  /** Empty if the upload names none. */
  readonly type: string
  readonly start: number
  readonly end: number
}

/** Fields of one upload; no call here has more than twenty. */
export const mostFormParts = 200
/** Bytes of the head of one part. */
export const mostHeadBytes = 16 * 1024

const lineEnd = '\r\n'
const headEnd = Buffer.from(lineEnd + lineEnd)

/** The mark between the parts (RFC 2046 §5.1.1); undefined when the type names none. */
export const boundaryOf = (contentType: string): string | undefined => {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? []
  return quoted ?? plain
}

const parameter = (head: string, name: string): string | undefined => {
  const [, quoted, plain] =
    new RegExp(`^content-disposition:.*?;\\s*${name}=(?:"([^"]*)"|([^\\s;]+))`, 'im').exec(head) ?? []
  return quoted ?? plain
}

/** Name, file name and type of a part, by its head. */
export const partHead = (
  head: string,
): Pick<FormPart, 'type' | 'filename'> & { readonly name: string | undefined } => ({
  name: parameter(head, 'name'),
  filename: parameter(head, 'filename'),
  type: typeIn(head),
})

const typeIn = (head: string): string => /^content-type:\s*([^\r\n;]+)/im.exec(head)?.[1]?.trim() ?? ''

/**
 * The parts of multipart/form-data (RFC 7578), found by looking for the boundary: bytes in between are not touched, which
 * takes 25 MB a few milliseconds. undefined when it is none, one with more parts than `mostFormParts` included.
 */
export const formParts = (raw: Buffer, contentType: string): readonly FormPart[] | undefined => {
  const boundary = boundaryOf(contentType)
  if (boundary === undefined) return undefined
  const mark = Buffer.from(`--${boundary}`, 'latin1')
  const next = Buffer.from(`${lineEnd}--${boundary}`, 'latin1')
  const parts: FormPart[] = []
  let at = raw.indexOf(mark) + mark.length
  if (at < mark.length) return undefined
  while (raw.toString('latin1', at, at + 2) !== '--') {
    const start = raw.indexOf(headEnd, at) + headEnd.length
    const end = start < headEnd.length ? -1 : raw.indexOf(next, start - lineEnd.length)
    if (end < 0 || start - at > mostHeadBytes || parts.length === mostFormParts) return undefined
    const head = raw.toString('utf8', at, start)
    const name = parameter(head, 'name')
    // An empty value ends where it starts.
    if (name !== undefined) {
      parts.push({ name, filename: parameter(head, 'filename'), type: typeIn(head), start, end: Math.max(start, end) })
    }
    at = end + next.length
  }
  return parts
}

/** The upload with another value of a field, which is added where it is missing; all other bytes stay. */
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
