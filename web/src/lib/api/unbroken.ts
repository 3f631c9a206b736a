import { unreached } from './api.ts'
import { lookForServer } from './connection.ts'

/** Reads an answer that comes piece by piece. Throws ApiError where the line breaks meanwhile. */
export async function* unbroken<Piece>(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  try {
    yield* pieces
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    void lookForServer()
    throw unreached()
  }
}
