import type { KeptFile } from '#server/relay/stored/kept-files.ts'

const idPrefix = 'file-'

/** Google's packages read letters and digits alone behind `files/`. */
export const geminiKey = ({ id }: Pick<KeptFile, 'id'>): string => id.slice(idPrefix.length)

export const idOfKey = (key: string): string => idPrefix + key

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

/** A file as Gemini shows it (ai.google.dev/api/files#File); `address` is the gateway's. */
export const geminiFile = (file: KeptFile, address: string) => {
  const name = `files/${geminiKey(file)}`
  return {
    name,
    ...(file.filename === '' ? {} : { displayName: file.filename }),
    mimeType: file.contentType,
    sizeBytes: String(file.bytes),
    createTime: timeOf(file.createdAt),
    updateTime: timeOf(file.createdAt),
    ...(file.expiresAt === 0 ? {} : { expirationTime: timeOf(file.expiresAt) }),
    uri: `${address}/v1beta/${name}`,
    downloadUri: `${address}/v1beta/${name}:download?alt=media`,
    state: 'ACTIVE',
    source: 'UPLOADED',
  }
}
