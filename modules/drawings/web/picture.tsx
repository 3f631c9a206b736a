import { useState } from 'react'
import type { Drawing } from '#web/lib/api/contract.ts'
import { onDemand } from '#web/lib/loading/on-demand.tsx'
import { belowBase } from '#web/lib/url/page-paths.ts'
import classes from './drawings.module.css'
import { useDrawingMessages } from './messages.ts'

const PictureDialog = onDemand(async () => (await import('./picture-dialog.tsx')).PictureDialog)

/** Shows the result. The picture comes through this server, which knows who may see it and where it really is. */
export const PictureButton = ({ drawing }: { drawing: Pick<Drawing, 'id' | 'mj_id' | 'image_url'> }) => {
  const say = useDrawingMessages()
  const [opened, setOpened] = useState(false)
  const [used, setUsed] = useState(false)
  const [broken, setBroken] = useState(false)
  if (drawing.image_url === '') return <span className="faint">{say('noImage')}</span>
  const name = say('imageOf', { id: drawing.mj_id })
  const show = (): void => {
    setUsed(true)
    setOpened(true)
  }
  return (
    <>
      <button type="button" className={classes.thumbButton} aria-label={say('showImage')} title={name} onClick={show}>
        {broken ? (
          <span className="text-button">{say('showImage')}</span>
        ) : (
          <img
            className={classes.thumb}
            src={belowBase(`/api/mj/image/${drawing.id}`)}
            alt=""
            loading="lazy"
            width={32}
            height={32}
            onError={() => setBroken(true)}
          />
        )}
      </button>
      {used && <PictureDialog id={drawing.id} name={name} opened={opened} onClose={() => setOpened(false)} />}
    </>
  )
}
