import { ActionIcon, Button, Textarea } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { Hint } from '../../components/display/hint.tsx'
import { Icon } from '../../components/display/icon.tsx'
import { notifyFailure } from '../../lib/notify.tsx'
import type { CallKind } from './calls/call-kinds.ts'
import { usePlaygroundMessages } from './messages.ts'
import classes from './playground.module.css'

const mostImageMegabytes = 8

const readImage = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })

/** Input for a message; images come by button, paste or drop. */
export const Composer = (props: {
  busy: boolean
  kind: CallKind
  /** Stands before the button that sends, such as the price. */
  before?: ReactNode
  /** False when it was not sent: then the text stays. */
  onSend: (text: string, images: readonly string[]) => boolean
  onStop: () => void
}) => {
  const say = usePlaygroundMessages()
  const [text, setText] = useState('')
  const [images, setImages] = useState<readonly string[]>([])
  const picker = useRef<HTMLInputElement>(null)
  const takesImages = props.kind === 'chat'
  const attached = takesImages ? images : []
  const ready = !props.busy && (text.trim() !== '' || attached.length > 0)
  // A keyboard on the screen has no key beside Enter to hold.
  const isTouch = useMediaQuery('(pointer: coarse)') ?? false
  const write = say(isTouch ? `touch_${props.kind}` : props.kind === 'chat' ? 'write' : `write_${props.kind}`)

  const add = async (files: Iterable<File>): Promise<void> => {
    const pictures = [...files].filter((file) => file.type.startsWith('image/'))
    const small = pictures.filter((file) => file.size <= mostImageMegabytes * 1024 * 1024)
    if (small.length < pictures.length)
      notifyFailure(new Error(say('imageTooLarge', { megabytes: mostImageMegabytes })))
    const read = await Promise.all(small.map(readImage))
    setImages((before) => [...before, ...read])
  }
  const send = (): void => {
    if (!ready || !props.onSend(text.trim(), attached)) return
    setText('')
    setImages([])
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && props.busy) props.onStop()
    // Enter that ends a composition (Chinese, Japanese) belongs to the input method.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  const onPaste = (event: ClipboardEvent): void => {
    if (takesImages && event.clipboardData.files.length > 0) void add(event.clipboardData.files)
  }
  return (
    <fieldset
      className={classes.composer}
      aria-label={say('send')}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        if (takesImages) void add(event.dataTransfer.files)
      }}
    >
      {attached.length > 0 && (
        <ul className={classes.attached}>
          {attached.map((address, index) => (
            <li key={address}>
              <img src={address} alt={say('imageOf', { number: index + 1 })} />
              <button
                type="button"
                aria-label={say('removeImage', { number: index + 1 })}
                onClick={() => setImages(images.filter((_, place) => place !== index))}
              >
                <Icon name="close" size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Textarea
        aria-label={write}
        placeholder={write}
        variant="unstyled"
        autosize
        minRows={1}
        maxRows={10}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div className={classes.composerBar}>
        <input
          ref={picker}
          type="file"
          accept="image/*"
          multiple
          hidden
          onChange={(event) => {
            void add(event.currentTarget.files ?? [])
            event.currentTarget.value = ''
          }}
        />
        {takesImages && (
          <Hint label={say('attach')}>
            <ActionIcon aria-label={say('attach')} onClick={() => picker.current?.click()}>
              <Icon name="image" />
            </ActionIcon>
          </Hint>
        )}
        <span className={classes.gap} />
        {props.before}
        {props.busy ? (
          <Button onClick={props.onStop} leftSection={<Icon name="stop" size={14} />}>
            {say('stop')}
          </Button>
        ) : (
          <Button variant="filled" disabled={!ready} onClick={send} leftSection={<Icon name="send" size={14} />}>
            {say('send')}
          </Button>
        )}
      </div>
    </fieldset>
  )
}
