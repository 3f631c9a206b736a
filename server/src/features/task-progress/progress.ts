import { ownMember } from '@tollgate/contract/own-member'
import { boundedTaskColumns } from '../../ledger/apply/task-rows.ts'
import { ownCause } from '../../lib/json/stored-error.ts'
import type { TaskState } from '../../relay/tasks/states.ts'
import { finishedProgress, type OpenTask } from './open-tasks.ts'

type Columns = Readonly<Record<string, string | number>>

/** Progress of a task's row. */
export type TaskProgress =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'moved'; readonly columns: Columns }
  | { readonly kind: 'succeeded'; readonly columns: Columns }
  | { readonly kind: 'failed'; readonly columns: Columns }

/** Milliseconds after which an open task counts as failed and its charge is refunded. */
export const patienceMs = 3_600_000

const cancelled: ReadonlySet<string> = new Set(['CANCEL', 'CANCELED', 'CANCELLED'])

const failed = ({ status, failReason }: TaskState): boolean =>
  status === 'FAILURE' || cancelled.has(status) || (failReason !== '' && status !== 'SUCCESS')

const nowOf = ({ platform }: OpenTask, now: number): number => (platform === 'suno' ? Math.floor(now / 1000) : now)

/** A failure in the row's own units. */
export const failedColumns = (task: OpenTask, reason: string, now: number): Columns =>
  boundedTaskColumns({
    status: 'FAILURE',
    progress: finishedProgress,
    fail_reason: reason,
    finish_time: nowOf(task, now),
  })

/** The non-empty values of a service's answer, cut to the columns' lengths. */
const statedColumns = (columns: Readonly<Record<string, string | number>>): Columns =>
  boundedTaskColumns(Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== '' && value !== 0)))

const columnsOf = (task: OpenTask, state: TaskState): Columns =>
  task.platform === 'suno'
    ? statedColumns({ start_time: state.startTime, finish_time: state.finishTime, data: state.data })
    : {
        code: 1,
        ...statedColumns({
          prompt_en: state.promptEn,
          description: state.description,
          state: state.state,
          start_time: state.startTime,
          finish_time: state.finishTime,
          image_url: state.imageUrl,
          buttons: state.buttons,
          properties: state.properties,
        }),
      }

const differs = (task: OpenTask, columns: Columns): boolean =>
  Object.entries(columns).some(([name, value]) => ownMember(task.columns, name) !== value)

/** 100% closes a row, so an unfinished task shows at most 99%. */
const openProgress = ({ progress }: TaskState): string => (progress === finishedProgress ? '99%' : progress)

/** Progress of a task under way by the upstream's state of it. `state` is undefined if the upstream does not mention the task. */
export const progressOf = (task: OpenTask, state: TaskState | undefined, now: number): TaskProgress => {
  if (state !== undefined && failed(state)) {
    const { finish_time: finished, ...columns } = columnsOf(task, state)
    const reason = state.failReason || state.status
    const time = finished === undefined ? {} : { finish_time: finished }
    return { kind: 'failed', columns: { ...columns, ...failedColumns(task, reason, now), ...time } }
  }
  if (state?.status === 'SUCCESS') {
    const columns = { finish_time: nowOf(task, now), ...columnsOf(task, state) }
    return {
      kind: 'succeeded',
      columns: { ...columns, status: 'SUCCESS', progress: finishedProgress, fail_reason: '' },
    }
  }
  if (now - task.submittedAt > patienceMs) {
    return { kind: 'failed', columns: failedColumns(task, ownCause('task_timed_out').text, now) }
  }
  if (state === undefined) return { kind: 'unchanged' }
  const columns = {
    ...columnsOf(task, state),
    ...statedColumns({ status: state.status, progress: openProgress(state) }),
  }
  return differs(task, columns) ? { kind: 'moved', columns } : { kind: 'unchanged' }
}
