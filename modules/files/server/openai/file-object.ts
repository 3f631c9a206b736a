import type { KeptFile } from '#server/relay/stored/kept-files.ts'

/** A file as OpenAI shows it (platform.openai.com/docs/api-reference/files/object). */
export const openaiFile = ({ id, bytes, createdAt, expiresAt, filename, purpose }: KeptFile) => ({
  id,
  object: 'file',
  bytes,
  created_at: createdAt,
  ...(expiresAt === 0 ? {} : { expires_at: expiresAt }),
  filename,
  purpose,
  status: 'processed',
  status_details: null,
})
