import type {
  browseDrawings,
  countDrawings,
  Drawing,
  ListedDrawing,
  listDrawings,
  Page,
  QueryOf,
  ValueCounts,
} from '@tollgate/contract'
import { role } from '@tollgate/contract'
import { cappedTotal, mostCounted } from '#server/db/capped-total.ts'
import { type NameLookups, nameRows, nameValues } from '#server/db/names/row-names.ts'
import { AppError } from '#server/lib/app-error.ts'
import type { FetchedPicture, PictureFetcher } from '#server/lib/security/guarded-picture.ts'
import type { DrawingFilter, DrawingStore } from './store.ts'

type ListQuery = QueryOf<typeof listDrawings>
type BrowseQuery = QueryOf<typeof browseDrawings>

/** Scope of drawings: all users, one user, or some keys of a wallet. */
type Reader = { readonly all: true } | { readonly userId: number; readonly tokenIds?: readonly number[] }

export interface Drawings {
  list(reader: Reader, query: ListQuery): Promise<Drawing[]>
  browse(reader: Reader, query: BrowseQuery): Promise<Page<ListedDrawing>>
  facet(reader: Reader, query: QueryOf<typeof countDrawings>): Promise<ValueCounts>
  /** The API keys that began drawings. */
  keysOf(drawings: readonly { readonly id: number }[]): Promise<ReadonlyMap<number, number>>
  /** The picture of a drawing, for its owner, for those who read it in an organisation, and for administrators. */
  picture(viewer: { id: number; role: number }, id: number): Promise<FetchedPicture>
}

export interface DrawingParts {
  readonly store: DrawingStore
  readonly fetchPicture: PictureFetcher
  readonly names: NameLookups
  /** True if a person reads what a key of a wallet began (key 0: one that is not known). False for wallets of people. */
  readsInOrganisation(personId: number, walletId: number, tokenId: number): Promise<boolean>
  /** Options MjForwardUrlEnabled and ServerAddress. */
  forwarded(): boolean
  serverAddress(): string
}

const rowsPerPage = 10

/** Drawing tasks. */
export const createDrawings = ({
  store,
  fetchPicture,
  names,
  readsInOrganisation,
  forwarded,
  serverAddress,
}: DrawingParts): Drawings => {
  /** Address of the picture for people: on this site, so that the upstream's address stays with the operator. */
  const imageUrl = ({ image_url, mj_id }: Drawing): string =>
    image_url === '' || !forwarded()
      ? image_url
      : `${serverAddress().replace(/\/$/, '')}/mj/image/${encodeURIComponent(mj_id)}`

  const shown =
    (reader: Reader) =>
    (row: Drawing): Drawing => ({
      ...row,
      image_url: imageUrl(row),
      channel_id: 'userId' in reader ? 0 : row.channel_id,
    })

  const sees = async (viewer: { id: number; role: number }, { id, user_id }: Drawing): Promise<boolean> => {
    if (user_id === viewer.id || viewer.role >= role.admin) return true
    return readsInOrganisation(viewer.id, user_id, (await store.keysOf([id])).get(id) ?? 0)
  }

  const pictureOf = async (drawing: Drawing | undefined): Promise<FetchedPicture> => {
    if (drawing === undefined || drawing.image_url === '') throw new AppError('not_found')
    return fetchPicture(drawing.image_url)
  }

  return {
    async list(reader, query) {
      const slice = { offset: query.p * rowsPerPage, limit: rowsPerPage }
      return (await store.find(filterOf(reader, query), slice)).map(shown(reader))
    },
    async browse(reader, query) {
      const filter = filterOf(reader, query)
      const slice = { offset: (query.p - 1) * query.page_size, limit: query.page_size }
      const [rows, counted] = await Promise.all([store.find(filter, slice), store.count(filter, mostCounted + 1)])
      const items = rows.map(shown(reader))
      return {
        items: 'userId' in reader ? items : await nameRows(items, names),
        ...cappedTotal(counted),
        page: query.p,
        page_size: query.page_size,
      }
    },
    async facet(reader, { facet, ...query }) {
      const counts = await store.facet(filterOf(reader, { p: 0, ...query }), facet)
      if (facet === 'channel_id') return nameValues(counts, names.channelNames)
      return facet === 'user_id' ? nameValues(counts, names.userNames) : counts
    },
    keysOf: (drawings) => store.keysOf(drawings.map(({ id }) => id)),
    async picture(viewer, id) {
      const drawing = await store.get(id)
      return pictureOf(drawing !== undefined && (await sees(viewer, drawing)) ? drawing : undefined)
    },
  }
}

const filterOf = (reader: Reader, query: ListQuery & Partial<BrowseQuery>): DrawingFilter => ({
  userId: 'userId' in reader ? reader.userId : query.user_id,
  tokenIds: 'userId' in reader ? reader.tokenIds : undefined,
  channel: 'userId' in reader ? undefined : query.channel_id,
  mjId: query.mj_id,
  from: query.start_timestamp,
  to: query.end_timestamp,
  statuses: query.status ?? [],
  actions: query.action ?? [],
  // The reader's scope is no filter: it is never negated.
  not: (query.not ?? []).filter((name) => name !== 'user_id' || !('userId' in reader)),
})
