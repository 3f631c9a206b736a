import { Facts } from '#web/components/display/facts.tsx'
import { ProgressText } from '#web/components/display/progress-text.tsx'
import { Quota } from '#web/components/display/quota.tsx'
import { TimeText } from '#web/components/display/time/time-text.tsx'
import { Sheet } from '#web/components/sheet.tsx'
import { ChannelName, UserName } from '#web/components/task-log/people.tsx'
import { SpentTime } from '#web/components/task-log/spent-time.tsx'
import { TaskId } from '#web/components/task-log/task-id.tsx'
import type { ListedDrawing } from '#web/lib/api/contract.ts'
import { causeText } from '#web/lib/text/refusal-text.ts'
import { secondsOf } from './columns.tsx'
import classes from './drawings.module.css'
import { useDrawingMessages } from './messages.ts'
import { PictureButton } from './picture.tsx'
import { actionText, DrawingStatus, SubmitResult } from './states.tsx'

const Lines = ({ text }: { text: string }) => {
  const say = useDrawingMessages()
  return <span className={classes.lines}>{text || say('none')}</span>
}

/** Everything that is known of one drawing. */
export const DrawingSheet = (props: { drawing: ListedDrawing; isAdmin: boolean; onClose: () => void }) => {
  const say = useDrawingMessages()
  const { drawing, isAdmin } = props
  const seconds = (ms: number): number => Math.floor(ms / 1000)
  return (
    <Sheet opened onClose={props.onClose} title={say('sheetTitle')} subtitle={drawing.mj_id} width={560}>
      <Facts
        facts={[
          { label: say('status'), value: <DrawingStatus status={drawing.status} /> },
          {
            label: say('progress'),
            value: (
              <ProgressText text={drawing.progress} failed={drawing.status === 'FAILURE'} label={say('progress')} />
            ),
          },
          { label: say('action'), value: actionText(drawing.action, say) },
          { label: say('taskId'), value: <TaskId id={drawing.mj_id} name={say('taskId')} /> },
          isAdmin && { label: say('code'), value: <SubmitResult code={drawing.code} /> },
          isAdmin && {
            label: say('channel'),
            value: <ChannelName id={drawing.channel_id} name={drawing.channel_name} />,
          },
          isAdmin && { label: say('user'), value: <UserName id={drawing.user_id} name={drawing.username} /> },
          { label: say('submitTime'), value: <TimeText at={seconds(drawing.submit_time)} /> },
          { label: say('finishTime'), value: <TimeText at={seconds(drawing.finish_time)} /> },
          { label: say('spent'), value: <SpentTime seconds={secondsOf(drawing)} /> },
          { label: say('quota'), value: <Quota value={drawing.quota} /> },
          { label: say('image'), value: <PictureButton drawing={drawing} /> },
          { label: say('prompt'), value: <Lines text={drawing.prompt} /> },
          { label: say('promptEn'), value: <Lines text={drawing.prompt_en} /> },
          { label: say('failReason'), value: <Lines text={causeText(drawing.fail_cause)} /> },
        ]}
      />
    </Sheet>
  )
}
