import type { Database } from '../../db/database.ts'
import type { FetchedPicture, PictureFetcher } from '../../lib/security/guarded-picture.ts'

/**
 * Pictures of drawings by the upstream's id, the newest of several, without a check of the owner; undefined where there is none.
 * Throws AppError('drawing_image_failed').
 */
export const openPublicPictures =
  ({ query }: Pick<Database, 'query'>, fetchPicture: PictureFetcher) =>
  async (mjId: string): Promise<FetchedPicture | undefined> => {
    if (mjId === '') return undefined
    const rows = query.selectFrom('midjourneys').select('image_url').where('mj_id', '=', mjId)
    const drawing = await rows.orderBy('id', 'desc').limit(1).executeTakeFirst()
    return drawing === undefined || drawing.image_url === '' ? undefined : fetchPicture(drawing.image_url)
  }
