import type { Database } from '../../../src/db/database.ts'

interface Place {
  readonly member_id?: number
  readonly secret_for?: number
}

/** Plants keys of projects, and what the audit log says of them, as earlier versions left both. */
export const keyTrail = ({ query }: Pick<Database, 'query'>) => {
  const plant = (id: number, project_id: number, place: Place = {}) =>
    query
      .insertInto('tokens')
      .values({
        id,
        user_id: 70,
        key_hash: `hash of ${id}`,
        key_cipher: '',
        key_hint: '',
        status: 1,
        name: `k${id}`,
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
        tags: null,
        ...place,
      })
      .execute()
  const trail = (action: string, id: number, actor_id: number, after: object = {}) =>
    query
      .insertInto('audit')
      .values({
        created_at: 1,
        actor_id,
        actor_name: '',
        action,
        object: 'token',
        object_id: String(id),
        before: '{}',
        after: JSON.stringify(after),
        ip: '',
      })
      .execute()
  return { plant, trail }
}
