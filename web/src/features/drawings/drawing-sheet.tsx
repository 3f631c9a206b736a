import { CopyText } from '../../components/copy-text.tsx'
import { ProgressText } from '../../components/progress-text.tsx'
import { Quota } from '../../components/quota.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { TimeText } from '../../components/time-text.tsx'
import type { Drawing } from '../../lib/contract.ts'
import { Spent } from './columns.tsx'
import classes from './drawings.module.css'
import { useDrawingWords } from './messages.ts'
import { PictureButton } from './picture.tsx'
import { actionText, DrawingStatus, SubmitResult } from './states.tsx'

/** Everything that is known of one drawing. */
export const DrawingSheet = (props: { drawing: Drawing; isAdmin: boolean; onClose: () => void }) => {
  const say = useDrawingWords()
  const { drawing, isAdmin } = props
  const seconds = (ms: number): number => Math.floor(ms / 1000)
  return (
    <Sheet opened onClose={props.onClose} title={say('sheetTitle')} subtitle={drawing.mj_id} width={560}>
      <dl className={classes.facts}>
        <dt>{say('status')}</dt>
        <dd>
          <DrawingStatus status={drawing.status} />
        </dd>
        <dt>{say('progress')}</dt>
        <dd>
          <ProgressText text={drawing.progress} failed={drawing.status === 'FAILURE'} label={say('progress')} />
        </dd>
        <dt>{say('action')}</dt>
        <dd>{actionText(drawing.action, say)}</dd>
        <dt>{say('taskId')}</dt>
        <dd>
          <CopyText text={drawing.mj_id} name={say('taskId')} />
        </dd>
        {isAdmin && (
          <>
            <dt>{say('code')}</dt>
            <dd>
              <SubmitResult code={drawing.code} />
            </dd>
            <dt>{say('channelId')}</dt>
            <dd className="num">{drawing.channel_id}</dd>
            <dt>{say('user')}</dt>
            <dd className="num">{drawing.user_id}</dd>
          </>
        )}
        <dt>{say('submitTime')}</dt>
        <dd>
          <TimeText at={seconds(drawing.submit_time)} />
        </dd>
        <dt>{say('finishTime')}</dt>
        <dd>
          <TimeText at={seconds(drawing.finish_time)} />
        </dd>
        <dt>{say('spent')}</dt>
        <dd>
          <Spent drawing={drawing} say={say} />
        </dd>
        <dt>{say('quota')}</dt>
        <dd>
          <Quota value={drawing.quota} />
        </dd>
        <dt>{say('image')}</dt>
        <dd>
          <PictureButton drawing={drawing} />
        </dd>
        <dt>{say('prompt')}</dt>
        <dd>{drawing.prompt || say('none')}</dd>
        <dt>{say('promptEn')}</dt>
        <dd>{drawing.prompt_en || say('none')}</dd>
        <dt>{say('failReason')}</dt>
        <dd>{drawing.fail_reason || say('none')}</dd>
      </dl>
    </Sheet>
  )
}
