import type { IncomingMessage } from 'node:http'
import { AppError } from '#server/lib/app-error.ts'
import { invalidUpload } from './form-stream.ts'

/** The bytes of a request as they come. Throws AppError: `client_gone`, `invalid_file_upload` for compressed ones. */
export async function* uploadedBytes(request: IncomingMessage): AsyncGenerator<Buffer> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding !== 'identity') throw invalidUpload('compressed bodies are not taken')
  try {
    // Without destroying: the client must be able to read an error that comes before its last byte.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) yield chunk as Buffer
  } catch (cause) {
    throw new AppError('client_gone', { cause })
  }
}

/** Does work with the body of a request; where it fails, the rest of the body is read and discarded, so that the client reads the error. */
export const withUpload = async <T>(
  request: IncomingMessage,
  work: (bytes: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> => {
  try {
    return await work(uploadedBytes(request))
  } catch (error) {
    request.resume()
    throw error
  }
}
