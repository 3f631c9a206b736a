import { client } from '@tollgate/contract/errors/error-text'
import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Batches: many calls in one file, which the gateway makes one by one for the key that asked for them. */
export const module = {
  areas: [['/api/batch', 'logs']],
  ownAreas: [['/api/batch', 'own_logs']],
  smallTables: ['batches', 'provider_batches'],
  logEvents: {
    batch_left_to_runner: 'A provider did not take a batch, so its lines are made one by one; `cause` says why.',
    provider_batch_not_read: 'The provider of a batch did not say how it stands; it is asked again.',
    batch_submission_unknown:
      'It is not known whether a provider has begun a batch, so it is not submitted again; its lines are made one by one, and the provider may bill them as well.',
    provider_batch_given_up:
      'A batch was too late for its deadline at its provider, or is not there any more, so its lines are made one by one; the provider may bill them as well.',
    batch_run_failed:
      'A batch could not go on, such as without the database; it is tried again, and its finished lines are kept.',
  },
  // Answered to clients of the gateway in the formats of their APIs.
  errors: {
    batch_not_found: client(404, '批处理 {id} 不存在', 'There is no batch {id}'),
    batch_request_invalid: client(400, '批处理请求无效：{detail}', 'The batch is invalid: {detail}'),
    batch_not_ended: client(409, '批处理 {id} 尚未结束', 'The batch {id} has not ended yet'),
    batch_ended: client(409, '批处理 {id} 已经结束', 'The batch {id} has ended already'),
    batch_retry_impossible: client(409, '该批处理没有可重试的请求', 'No request of this batch can be made again'),
    batches_full: client(
      429,
      '未结束的批处理已达上限 {most} 个',
      'There are {most} batches that have not ended, which is the most',
    ),
  },
} as const satisfies ModuleData
