import { FocusTrap } from '@mantine/core'
import { type KeyboardEvent, lazy, Suspense, useLayoutEffect, useRef, useState } from 'react'
import { useShellMessages } from '../messages.ts'
import type { ChooseByKey } from './command.ts'
import classes from './palette.module.css'

const PaletteList = lazy(async () => ({ default: (await import('./palette-list.tsx')).PaletteList }))

/**
 * Go anywhere and do the common things by typing a few letters. The input is there at once, so that no key is missed while the
 * results load; Enter that comes before them waits for them.
 */
export const Palette = ({ onClose }: { onClose: () => void }) => {
  const shell = useShellMessages()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const choose = useRef<ChooseByKey>(undefined)
  const early = useRef<string[]>([])
  // In the same step as the key that opened it: the next key is for the input.
  useLayoutEffect(() => {
    const before = document.activeElement
    input.current?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
      return
    }
    if (!['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key) || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (choose.current) choose.current(event.key)
    else early.current.push(event.key)
  }
  return (
    <div className={classes.over}>
      <button type="button" tabIndex={-1} aria-hidden="true" className={classes.veil} onClick={onClose} />
      <FocusTrap active>
        <div role="dialog" aria-modal="true" aria-label={shell('palette')} className={classes.palette}>
          <input
            ref={input}
            className={classes.input}
            data-autofocus
            role="combobox"
            aria-expanded="true"
            aria-controls="palette-list"
            aria-activedescendant={chosen}
            aria-label={shell('find')}
            placeholder={shell('find')}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
          <Suspense fallback={<div id="palette-list" aria-busy="true" className={classes.list} />}>
            <PaletteList
              text={text}
              onText={setText}
              onChosen={setChosen}
              onClose={onClose}
              listen={(answer) => {
                choose.current = answer
                for (const key of early.current.splice(0)) answer(key)
              }}
            />
          </Suspense>
        </div>
      </FocusTrap>
    </div>
  )
}
