import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import type { Drawing } from '../../lib/contract.ts'
import classes from './drawings.module.css'
import { useDrawingWords } from './messages.ts'

/** Shows the result. The picture comes through this server, which knows who may see it and where it really is. */
export const PictureButton = ({ drawing }: { drawing: Pick<Drawing, 'id' | 'mj_id' | 'image_url'> }) => {
  const say = useDrawingWords()
  const [opened, setOpened] = useState(false)
  const [failed, setFailed] = useState(false)
  if (drawing.image_url === '') return <span className="faint">{say('noImage')}</span>
  const name = say('imageOf', { id: drawing.mj_id })
  return (
    <>
      <button type="button" className="text-button" onClick={() => setOpened(true)}>
        {say('showImage')}
      </button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={name} size="auto">
        {failed ? (
          <p role="alert">{say('imageFailed')}</p>
        ) : (
          <img
            className={classes.picture}
            src={`/api/mj/image/${drawing.id}`}
            alt={name}
            onError={() => setFailed(true)}
          />
        )}
        <div className={classes.pictureFoot}>
          <Button component="a" href={`/api/mj/image/${drawing.id}`} target="_blank" rel="noreferrer" variant="subtle">
            {say('showImage')}
          </Button>
        </div>
      </Modal>
    </>
  )
}
