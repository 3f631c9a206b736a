import { insertReturningId } from '#server/db/dialect.ts'
import { openImported } from '#server/ledger/opening.ts'
import { unixSeconds } from '#server/lib/clock.ts'
import type { ImportRun } from '../run.ts'
import type { MovedToken } from '../site.ts'

interface Chosen {
  readonly token: MovedToken
  readonly userId: number
  /** 0 for keys of people's own. */
  readonly projectId: number
  /** 0 for machines. */
  readonly memberId: number
  readonly key: { readonly key_hash: string; readonly key_cipher: string; readonly key_hint: string }
}

/** Moves tokens with their balances; a page is one transaction. */
export const createTokenWriter = ({ target, notes, map, ...run }: ImportRun) => {
  const { database, secrets } = target

  const keyOf = ({ key }: MovedToken): Chosen['key'] => {
    if ('text' in key) return target.tokenKey(key.text)
    // The key itself is not known before its first use.
    return {
      key_hash: target.importedKeyHash(key.sha256),
      key_cipher: secrets.encrypt('token_key', key.hint),
      key_hint: key.hint,
    }
  }

  const taken = async (hashes: readonly string[]): Promise<ReadonlySet<string>> => {
    if (hashes.length === 0) return new Set()
    const rows = await database.query.selectFrom('tokens').select('key_hash').where('key_hash', 'in', hashes).execute()
    return new Set(rows.map(({ key_hash }) => key_hash))
  }

  /** Reads the payer of each token, and the objects that it belongs to. */
  const readOwners = async (tokens: readonly MovedToken[]) => {
    const places = tokens.flatMap(({ place }) => (place === undefined ? [] : [place]))
    const users = await map.known(
      'user',
      tokens.map(({ userId, place }) => place?.memberId ?? userId),
    )
    const wallets = await map.known(
      'wallet',
      places.map(({ organisationId }) => organisationId),
    )
    const projects = await map.known(
      'project',
      places.map(({ projectId }) => projectId),
    )
    return ({ userId, place }: MovedToken): Omit<Chosen, 'token' | 'key'> | undefined => {
      if (place === undefined) {
        const user = users.get(userId)
        return user === undefined ? undefined : { userId: user, projectId: 0, memberId: 0 }
      }
      const [wallet, projectId] = [wallets.get(place.organisationId), projects.get(place.projectId)]
      const memberId = place.memberId === '' ? 0 : users.get(place.memberId)
      if (wallet === undefined || projectId === undefined || memberId === undefined) return undefined
      return { userId: wallet, projectId, memberId }
    }
  }

  const choose = async (tokens: readonly MovedToken[]): Promise<readonly Chosen[]> => {
    const ownerOf = await readOwners(tokens)
    const withKeys = tokens.map((token) => ({ token, key: keyOf(token) }))
    const used = new Set(await taken(withKeys.map(({ key }) => key.key_hash)))
    return withKeys.flatMap(({ token, key }) => {
      const owner = ownerOf(token)
      if (owner === undefined) {
        notes.note('token_no_owner', token.name)
        return []
      }
      if (used.has(key.key_hash)) {
        notes.note('token_taken', token.name)
        return []
      }
      used.add(key.key_hash)
      return [{ token, key, ...owner }]
    })
  }

  const insertAll = (chosen: readonly Chosen[]): Promise<void> =>
    database.transaction(async (trx) => {
      const made = new Map<string, number>()
      for (const { token, userId, projectId, memberId, key } of chosen) {
        const id = await insertReturningId(trx, 'tokens', {
          user_id: userId,
          ...key,
          status: token.status,
          name: token.name,
          created_time: token.createdTime,
          accessed_time: token.accessedTime,
          expired_time: token.expiredTime,
          unlimited_quota: token.unlimited ? 1 : 0,
          model_limits_enabled: token.models === undefined ? 0 : 1,
          model_limits: token.models?.join(',') ?? '',
          allow_ips: token.allowIps,
          group: token.group,
          deleted_at: token.deletedAt,
          project_id: projectId,
          member_id: memberId,
        })
        made.set(token.sourceId, id)
      }
      await map.add(trx, 'token', made)
      await openImported(database, trx, {
        tokens: chosen.map(({ token }) => ({
          id: made.get(token.sourceId) ?? 0,
          remainQuota: token.remainQuota,
          usedQuota: token.usedQuota,
        })),
        at: unixSeconds(target.clock),
        detail: { imported: run.site },
      })
    })

  return {
    async write(tokens: readonly MovedToken[]): Promise<void> {
      const known = await map.known(
        'token',
        tokens.map(({ sourceId }) => sourceId),
      )
      const chosen = await choose(tokens.filter(({ sourceId }) => !known.has(sourceId)))
      run.count('token', { found: tokens.length, known: known.size, carried: chosen.length })
      const moved = [...tokens.filter(({ sourceId }) => known.has(sourceId)), ...chosen.map(({ token }) => token)]
      for (const { remainQuota, usedQuota } of moved) {
        run.add('token_remain', remainQuota)
        run.add('token_used', usedQuota)
      }
      if (run.dryRun) {
        map.pretend(
          'token',
          chosen.map(({ token }) => token.sourceId),
        )
      } else if (chosen.length > 0) await insertAll(chosen)
    },
  }
}
