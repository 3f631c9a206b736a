import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Facts } from '#web/components/display/facts.tsx'
import { TimeText } from '#web/components/display/time/time-text.tsx'
import { Sheet, SheetActions } from '#web/components/sheet.tsx'
import { UserName } from '#web/components/task-log/people.tsx'
import { TaskId } from '#web/components/task-log/task-id.tsx'
import type { ListedBackground } from '#web/lib/api/contract.ts'
import { formatInteger } from '#web/lib/text/format.ts'
import { useBackgroundMessages } from './messages.ts'
import { BackgroundState, isCancellable } from './states.tsx'

interface BackgroundSheetProps {
  row: ListedBackground
  onCancel: () => void
  onClose: () => void
}

/** Everything that is known of one response that has not ended. */
export const BackgroundSheet = ({ row, onCancel, onClose }: BackgroundSheetProps) => {
  const say = useBackgroundMessages()
  return (
    <Sheet
      opened
      onClose={onClose}
      title={say('sheetTitle')}
      subtitle={row.model}
      width={560}
      footer={
        isCancellable(row) && (
          <SheetActions>
            <Button color="red" variant="outline" onClick={onCancel}>
              {say('cancel')}
            </Button>
          </SheetActions>
        )
      }
    >
      <Facts
        facts={[
          { label: say('state'), value: <BackgroundState state={row.state} /> },
          { label: say('model'), value: row.model || '—' },
          { label: say('attempts'), value: <span className="num">{formatInteger(row.attempts)}</span> },
          row.error !== undefined && row.error !== '' && { label: say('error'), value: row.error },
          { label: say('stream'), value: say(row.streamed ? 'yes' : 'no') },
          { label: say('responseId'), value: <TaskId id={row.response_id} name={say('responseId')} /> },
          row.request_id !== '' && {
            label: say('requestId'),
            value: <TaskId id={row.request_id} name={say('requestId')} />,
          },
          // The attempts before this one have their rows of the log.
          row.attempts > 1 && {
            label: say('log'),
            value: (
              <Link to="/log" search={{ request: row.request_id } as never}>
                {say('toLog')}
              </Link>
            ),
          },
          row.username !== undefined && {
            label: say('user'),
            value: <UserName id={row.user_id} name={row.username} />,
          },
          { label: say('created'), value: <TimeText at={row.created_at} /> },
          row.deadline_at > 0 && { label: say('deadline'), value: <TimeText at={row.deadline_at} /> },
        ]}
      />
    </Sheet>
  )
}
