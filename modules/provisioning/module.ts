import { client } from '@tollgate/contract/errors/error-text'
import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Members and groups of organisations that an identity provider keeps up to date over SCIM. */
export const module = {
  areas: [],
  logEvents: {
    scim_call_failed: 'A call of an identity provider (SCIM) failed for a reason that is not its own.',
    scim_call_not_noted: 'A call of an identity provider (SCIM) could not be noted for the page of the organisation.',
  },
  errors: {
    scim_tokens_full: client(
      409,
      '一个组织最多 {count} 个 SCIM 令牌，请先吊销不用的',
      'An organisation can have up to {count} SCIM tokens. Revoke an unused one first.',
    ),
  },
} as const satisfies ModuleData
