import { type FullRows, longKey, longText, most, time } from '#server-test/support/db/full-rows/values.ts'
import type { ProvisioningTables } from '../server/tables.ts'

export const rows: FullRows<ProvisioningTables> = {
  scim_tokens: {
    organisation_id: most,
    name: longKey,
    secret_hash: longKey,
    hint: longKey,
    made_by: most,
    created_time: time,
    expires_time: time,
    last_used_time: time,
  },
  scim_groups: {
    organisation_id: most,
    name: longKey,
    name_key: longKey,
    external_id: longKey,
    version: most,
    created_time: time,
    changed_time: time,
  },
  scim_group_members: { group_id: most, user_id: most },
  scim_calls: {
    organisation_id: most,
    token_name: longKey,
    created_time: time,
    method: longKey,
    path: longText,
    status: 200,
    detail: longText,
  },
  group_places: { organisation_id: most, group_name: longKey, group_key: longKey, team_id: most, role: longKey },
}
