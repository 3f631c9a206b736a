import { CopyText } from '../../components/copy-text.tsx'
import { ProgressText } from '../../components/progress-text.tsx'
import { Quota } from '../../components/quota.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { TimeText } from '../../components/time-text.tsx'
import type { Task } from '../../lib/contract.ts'
import { Spent } from './columns.tsx'
import { useTaskWords } from './messages.ts'
import { actionText, platformText, TaskStatus } from './states.tsx'
import classes from './tasks.module.css'

/** Everything that is known of one task, and the record as it is stored. */
export const TaskSheet = (props: { task: Task; isAdmin: boolean; onClose: () => void }) => {
  const say = useTaskWords()
  const { task, isAdmin } = props
  return (
    <Sheet opened onClose={props.onClose} title={say('sheetTitle')} subtitle={task.task_id} width={560}>
      <dl className={classes.facts}>
        <dt>{say('status')}</dt>
        <dd>
          <TaskStatus status={task.status} />
        </dd>
        <dt>{say('progress')}</dt>
        <dd>
          <ProgressText text={task.progress} failed={task.status === 'FAILURE'} label={say('progress')} />
        </dd>
        <dt>{say('platform')}</dt>
        <dd>{platformText(task.platform, say)}</dd>
        <dt>{say('action')}</dt>
        <dd>{actionText(task.action, say)}</dd>
        <dt>{say('taskId')}</dt>
        <dd>
          <CopyText text={task.task_id} name={say('taskId')} />
        </dd>
        {isAdmin && (
          <>
            <dt>{say('channelId')}</dt>
            <dd className="num">{task.channel_id}</dd>
            <dt>{say('user')}</dt>
            <dd className="num">{task.user_id}</dd>
          </>
        )}
        <dt>{say('submitTime')}</dt>
        <dd>
          <TimeText at={task.submit_time} />
        </dd>
        <dt>{say('finishTime')}</dt>
        <dd>
          <TimeText at={task.finish_time} />
        </dd>
        <dt>{say('spent')}</dt>
        <dd>
          <Spent task={task} say={say} />
        </dd>
        <dt>{say('quota')}</dt>
        <dd>
          <Quota value={task.quota} />
        </dd>
        <dt>{say('failReason')}</dt>
        <dd>{task.fail_reason || say('none')}</dd>
      </dl>
      <h3 className={classes.section}>{say('record')}</h3>
      <pre className={classes.record}>{JSON.stringify(task, null, 2)}</pre>
    </Sheet>
  )
}
