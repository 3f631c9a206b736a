import { client } from '@tollgate/contract/errors/error-text'
import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Calls that say until when they must be done, made in the cheapest way that is in time. */
export const module = {
  areas: [],
  errors: {
    deadline_missing: client(
      403,
      '该密钥仅用于有截止时间的请求，请以 X-Tollgate-Deadline: 6h 请求头或 metadata.deadline 指定截止时间',
      'This key is for calls with a deadline: state one in the header X-Tollgate-Deadline (such as 6h) or in metadata.deadline',
    ),
    deadline_too_soon: client(
      403,
      '该密钥仅用于有截止时间的请求，截止时间至少须在 {minutes} 分钟之后',
      'This key is for calls with a deadline, which must be at least {minutes} minutes away: state a later one in the header X-Tollgate-Deadline or in metadata.deadline',
    ),
    deadline_impossible: client(
      403,
      '该密钥仅用于有截止时间的请求，此类请求没有截止时间',
      'This key is for calls with a deadline, and calls of this kind have none',
    ),
  },
  logEvents: {},
} as const satisfies ModuleData
