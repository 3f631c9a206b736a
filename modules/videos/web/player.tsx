import { Button, Loader } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Icon } from '#web/components/display/icon.tsx'
import { calls, type ListedVideo } from '#web/lib/api/contract.ts'
import { requestFile } from '#web/lib/download.ts'
import { useAction } from '#web/lib/query.ts'
import { useVideoMessages } from './messages.ts'
import classes from './videos.module.css'

/** A finished video, which is fetched when its reader wants to see it: some are large. */
export const Player = ({ video, isOwn }: { video: ListedVideo; isOwn: boolean }) => {
  const say = useVideoMessages()
  const [address, setAddress] = useState('')
  const load = useAction(async () => {
    const content = isOwn ? calls.getOwnVideoContent : calls.getVideoContent
    const response = await requestFile(content, { params: { id: video.id } })
    setAddress(URL.createObjectURL(await response.blob()))
  })
  useEffect(() => () => URL.revokeObjectURL(address), [address])
  if (address !== '')
    return (
      <>
        <div className={classes.player}>
          {/* biome-ignore lint/a11y/useMediaCaption: generated videos have no captions */}
          <video controls autoPlay src={address} aria-label={video.prompt} />
        </div>
        <p className={classes.download}>
          <Button
            component="a"
            href={address}
            download={`${video.video_id}.mp4`}
            leftSection={<Icon name="download" size={14} />}
          >
            {say('download')}
          </Button>
        </p>
      </>
    )
  return (
    <div className={classes.player}>
      {load.busy ? (
        <Loader size="sm" role="status" aria-label={say('loadingVideo')} />
      ) : (
        <Button leftSection={<Icon name="film" size={14} />} onClick={() => void load.run()}>
          {say('play')}
        </Button>
      )}
    </div>
  )
}
