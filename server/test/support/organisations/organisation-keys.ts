import type { Database } from '../../../src/db/database.ts'
import { insertReturningId } from '../../../src/db/dialect.ts'
import type { Reader } from '../../../src/relay/reader.ts'

const walletId = 70

/** Of whom each key is: project and member, 0 for a machine; `true` where others may know its secret, or somebody who left a machine's. */
const places = {
  machine1: [1, 0],
  machine2: [2, 0],
  ann1: [1, 5],
  ann2: [2, 5],
  bob1: [1, 6],
  shared1: [1, 5, true],
  left1: [1, 0, true],
} as const

export type OrganisationKey = keyof typeof places

/** Which keys read what a key made, in the order of `places`. */
export const readersOf: Readonly<Record<string, readonly OrganisationKey[]>> = {
  machine1: ['machine1'],
  machine2: ['machine2'],
  ann1: ['machine1', 'ann1', 'ann2', 'shared1'],
  ann2: ['machine2', 'ann1', 'ann2'],
  bob1: ['machine1', 'bob1'],
  shared1: ['machine1', 'ann1', 'ann2', 'shared1'],
  left1: ['machine1', 'left1'],
}

/** Writes keys of two projects and two members on one wallet; answers them as callers. */
export const plantKeys = async ({ query }: Database): Promise<Record<OrganisationKey, Reader>> => {
  const readers: Partial<Record<OrganisationKey, Reader>> = {}
  for (const [name, [project_id, member_id, isShared]] of Object.entries(places)) {
    const tokenId = await insertReturningId(query, 'tokens', {
      user_id: walletId,
      key_hash: `hash of ${name}`,
      key_cipher: '',
      key_hint: '',
      status: 1,
      name,
      created_time: 1,
      accessed_time: 1,
      expired_time: -1,
      remain_quota: 0,
      unlimited_quota: 1,
      model_limits_enabled: 0,
      model_limits: '',
      allow_ips: '',
      used_quota: 0,
      group: '',
      deleted_at: null,
      project_id,
      member_id,
      secret_for: isShared ? 0 : member_id,
      tags: null,
    })
    const project = { id: project_id, teamId: 1, memberId: member_id, ...(isShared && { isShared }) }
    readers[name as OrganisationKey] = { userId: walletId, tokenId, project }
  }
  return readers as Record<OrganisationKey, Reader>
}
