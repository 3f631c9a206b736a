import { type getQuotaData, longestDataSeconds, type QueryOf, type QuotaDatum } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import { AppError } from '../../lib/app-error.ts'

type DataQuery = QueryOf<typeof getQuotaData>

export interface QuotaDataService {
  /** The usage of one user, or of all users together, by model and hour. */
  all(query: DataQuery): Promise<QuotaDatum[]>
  own(userId: number, span: Omit<DataQuery, 'username'>): Promise<QuotaDatum[]>
}

/** The hourly figures as clients of the reference read them. */
export const createQuotaData = (
  { query }: Database,
  userIdOf: (username: string) => Promise<number | undefined>,
): QuotaDataService => {
  const rows = ({ start_timestamp, end_timestamp }: Omit<DataQuery, 'username'>) =>
    query.selectFrom('quota_data').where('created_at', '>=', start_timestamp).where('created_at', '<=', end_timestamp)

  const ofUser = (userId: number, span: Omit<DataQuery, 'username'>): Promise<QuotaDatum[]> =>
    rows(span).where('user_id', '=', userId).selectAll().orderBy('created_at').orderBy('id').execute()

  return {
    async all({ username, ...span }) {
      // By id, because a username can be reused by another user.
      if (username !== '') {
        const id = await userIdOf(username)
        return id === undefined ? [] : ofUser(id, span)
      }
      const sums = await rows(span)
        .select(['model_name', 'created_at'])
        .select(({ fn }) => [
          fn.sum('token_used').as('token_used'),
          fn.sum('count').as('count'),
          fn.sum('quota').as('quota'),
        ])
        .groupBy(['model_name', 'created_at'])
        .orderBy('created_at')
        .orderBy('model_name')
        .execute()
      return sums.map(({ model_name, created_at, token_used, count, quota }) => ({
        id: 0,
        user_id: 0,
        username: '',
        model_name,
        created_at,
        token_used: Number(token_used),
        count: Number(count),
        quota: Number(quota),
      }))
    },
    async own(userId, span) {
      if (span.end_timestamp - span.start_timestamp > longestDataSeconds) throw new AppError('data_span_too_long')
      return ofUser(userId, span)
    },
  }
}
