/** Types of files by the ends of their names. */
const types: ReadonlyMap<string, string> = new Map(
  Object.entries({
    pdf: 'application/pdf',
    txt: 'text/plain',
    md: 'text/markdown',
    csv: 'text/csv',
    html: 'text/html',
    xml: 'application/xml',
    json: 'application/json',
    jsonl: 'application/jsonl',
    png: 'image/png',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    gif: 'image/gif',
    webp: 'image/webp',
    mp3: 'audio/mpeg',
    wav: 'audio/wav',
    mp4: 'video/mp4',
    docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  }),
)

export const unknownType = 'application/octet-stream'

/** The type that a client states, or that of the end of the file's name where it states none. */
export const contentTypeOf = (stated: string, filename: string): string => {
  const type = stated.split(';')[0]?.trim().toLowerCase() ?? ''
  if (/^[\w.+-]+\/[\w.+-]+$/.test(type) && type !== unknownType) return type
  return types.get(filename.split('.').at(-1)?.toLowerCase() ?? '') ?? unknownType
}
