import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { belowBase } from '#web/lib/url/page-paths.ts'
import classes from './drawings.module.css'
import { useDrawingMessages } from './messages.ts'

/** The picture itself, by the drawing's own id. */
export const PictureDialog = ({
  id,
  name,
  opened,
  onClose,
}: {
  id: number
  name: string
  opened: boolean
  onClose: () => void
}) => {
  const say = useDrawingMessages()
  const [failed, setFailed] = useState(false)
  return (
    <Modal opened={opened} onClose={onClose} title={name} size="auto">
      {failed ? (
        <p role="alert">{say('imageFailed')}</p>
      ) : (
        <img
          className={classes.picture}
          src={belowBase(`/api/mj/image/${id}`)}
          alt={name}
          onError={() => setFailed(true)}
        />
      )}
      <div className={classes.pictureFoot}>
        <Button component="a" href={belowBase(`/api/mj/image/${id}`)} target="_blank" rel="noreferrer" variant="subtle">
          {say('showImage')}
        </Button>
      </div>
    </Modal>
  )
}
