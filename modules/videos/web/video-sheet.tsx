import { Button } from '@mantine/core'
import { Facts } from '#web/components/display/facts.tsx'
import { Icon } from '#web/components/display/icon.tsx'
import { ProgressText } from '#web/components/display/progress-text.tsx'
import { CallQuota } from '#web/components/display/quota.tsx'
import { TimeText } from '#web/components/display/time/time-text.tsx'
import { Sheet, SheetActions } from '#web/components/sheet.tsx'
import { ChannelName, UserName } from '#web/components/task-log/people.tsx'
import { TaskId } from '#web/components/task-log/task-id.tsx'
import type { ListedVideo } from '#web/lib/api/contract.ts'
import { useVideoMessages } from './messages.ts'
import { Player } from './player.tsx'
import { isOver, VideoState } from './states.tsx'
import classes from './videos.module.css'

interface VideoSheetProps {
  video: ListedVideo
  /** True for a video of the reader. */
  isOwn: boolean
  onAgain: () => void
  onRemove: () => void
  onClose: () => void
}

/** Everything that is known of one video, with a player where it is finished. */
export const VideoSheet = ({ video, isOwn, onAgain, onRemove, onClose }: VideoSheetProps) => {
  const say = useVideoMessages()
  const isUnderWay = !isOver(video)
  return (
    <Sheet
      opened
      onClose={onClose}
      title={say('sheetTitle')}
      subtitle={video.video_id}
      width={560}
      footer={
        <SheetActions>
          <Button leftSection={<Icon name="refresh" size={14} />} onClick={onAgain}>
            {say('again')}
          </Button>
          {isOwn && !isUnderWay && (
            <Button color="red" variant="outline" onClick={onRemove}>
              {say('remove')}
            </Button>
          )}
        </SheetActions>
      }
    >
      {video.state === 'completed' && <Player key={video.id} video={video} isOwn={isOwn} />}
      <Facts
        facts={[
          { label: say('status'), value: <VideoState state={video.state} /> },
          isUnderWay && {
            label: say('progress'),
            value: <ProgressText text={`${video.progress}%`} failed={false} label={say('progress')} />,
          },
          video.error_message !== '' && { label: say('failReason'), value: video.error_message },
          { label: say('prompt'), value: <span className={classes.prompt}>{video.prompt}</span> },
          { label: say('model'), value: video.model },
          { label: say('length'), value: say('secondsOf', { seconds: video.seconds }) },
          { label: say('size'), value: video.size || '—' },
          {
            label: say(isUnderWay ? 'held' : 'cost'),
            value: <CallQuota value={isUnderWay ? video.held : video.quota} />,
          },
          { label: say('videoId'), value: <TaskId id={video.video_id} name={say('videoId')} /> },
          video.channel_id > 0 && {
            label: say('channel'),
            value: <ChannelName id={video.channel_id} name={video.channel_name} />,
          },
          video.username !== undefined && {
            label: say('user'),
            value: <UserName id={video.user_id} name={video.username} />,
          },
          { label: say('created'), value: <TimeText at={video.created_at} /> },
          video.completed_at > 0 && { label: say('completed'), value: <TimeText at={video.completed_at} /> },
          video.expires_at > 0 && { label: say('expires'), value: <TimeText at={video.expires_at} /> },
        ]}
      />
    </Sheet>
  )
}
