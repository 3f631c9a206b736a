import { Facts, FactsHeading } from '#web/components/display/facts.tsx'
import { ProgressText } from '#web/components/display/progress-text.tsx'
import { Quota } from '#web/components/display/quota.tsx'
import { TimeText } from '#web/components/display/time/time-text.tsx'
import { Sheet } from '#web/components/sheet.tsx'
import { ChannelName, UserName } from '#web/components/task-log/people.tsx'
import { SpentTime } from '#web/components/task-log/spent-time.tsx'
import { TaskId } from '#web/components/task-log/task-id.tsx'
import type { ListedTask } from '#web/lib/api/contract.ts'
import { causeText } from '#web/lib/text/refusal-text.ts'
import { secondsOf } from './columns.tsx'
import { useTaskMessages } from './messages.ts'
import { actionText, platformText, TaskStatus } from './states.tsx'
import classes from './tasks.module.css'

/** Everything that is known of one task, and the record as it is stored. */
export const TaskSheet = (props: { task: ListedTask; isAdmin: boolean; onClose: () => void }) => {
  const say = useTaskMessages()
  const { task, isAdmin } = props
  return (
    <Sheet opened onClose={props.onClose} title={say('sheetTitle')} subtitle={task.task_id} width={560}>
      <Facts
        facts={[
          { label: say('status'), value: <TaskStatus status={task.status} /> },
          {
            label: say('progress'),
            value: <ProgressText text={task.progress} failed={task.status === 'FAILURE'} label={say('progress')} />,
          },
          { label: say('platform'), value: platformText(task.platform, say) },
          { label: say('action'), value: actionText(task.action, say) },
          { label: say('taskId'), value: <TaskId id={task.task_id} name={say('taskId')} /> },
          isAdmin && {
            label: say('channel'),
            value: <ChannelName id={task.channel_id} name={task.channel_name} />,
          },
          isAdmin && { label: say('user'), value: <UserName id={task.user_id} name={task.username} /> },
          { label: say('submitTime'), value: <TimeText at={task.submit_time} /> },
          { label: say('finishTime'), value: <TimeText at={task.finish_time} /> },
          { label: say('spent'), value: <SpentTime seconds={secondsOf(task)} /> },
          { label: say('quota'), value: <Quota value={task.quota} /> },
          { label: say('failReason'), value: causeText(task.fail_cause) || say('none') },
        ]}
      />
      <FactsHeading>{say('record')}</FactsHeading>
      <pre className={classes.record}>{JSON.stringify({ ...task, fail_cause: undefined }, null, 2)}</pre>
    </Sheet>
  )
}
