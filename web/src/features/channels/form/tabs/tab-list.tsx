import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useTabMessages } from './tab-messages.ts'
import { type FormTab, formTabs } from './tab-of.ts'
import classes from './tabs.module.css'

const idOf = (tab: FormTab): string => `channel-tab-${tab}`
const panelOf = (tab: FormTab): string => `channel-panel-${tab}`

/** Steps of the keys that move between tabs; Home and End go to the ends. */
const targetOf = (key: string, at: number): number | undefined => {
  const last = formTabs.length - 1
  if (key === 'ArrowRight') return at === last ? 0 : at + 1
  if (key === 'ArrowLeft') return at === 0 ? last : at - 1
  if (key === 'Home') return 0
  return key === 'End' ? last : undefined
}

interface TabListProps {
  current: FormTab
  changed: ReadonlySet<FormTab>
  invalid: ReadonlySet<FormTab>
  onChoose: (tab: FormTab) => void
}

const Mark = ({ isInvalid, isChanged }: { isInvalid: boolean; isChanged: boolean }) => {
  const say = useTabMessages()
  if (isInvalid)
    return <span className={classes.invalid} role="img" aria-label={say('invalid')} title={say('invalid')} />
  if (isChanged)
    return <span className={classes.changed} role="img" aria-label={say('changed')} title={say('changed')} />
  return null
}

/** The tabs of the form, marked where a field was changed or refused. */
export const TabList = ({ current, changed, invalid, onChoose }: TabListProps) => {
  const say = useTabMessages()
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent): void => {
    const target = targetOf(event.key, formTabs.indexOf(current))
    const tab = target === undefined ? undefined : formTabs[target]
    if (tab === undefined) return
    event.preventDefault()
    onChoose(tab)
    list.current?.querySelector<HTMLElement>(`#${idOf(tab)}`)?.focus()
  }
  return (
    <div ref={list} role="tablist" aria-label={say('tabs')} className={classes.tabs}>
      {formTabs.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={idOf(tab)}
          aria-selected={tab === current}
          aria-controls={tab === current ? panelOf(tab) : undefined}
          tabIndex={tab === current ? 0 : -1}
          onClick={() => onChoose(tab)}
          onKeyDown={move}
        >
          {say(tab)}
          <Mark isInvalid={invalid.has(tab)} isChanged={changed.has(tab)} />
        </button>
      ))}
    </div>
  )
}

/** The fields of a tab; drawn once it was opened, and then kept while another one is shown. */
export const TabPanel = ({ tab, current, children }: { tab: FormTab; current: FormTab; children: ReactNode }) => {
  const [used, setUsed] = useState(tab === current)
  if (tab === current && !used) setUsed(true)
  if (!used && tab !== current) return null
  return (
    <div
      role="tabpanel"
      id={panelOf(tab)}
      aria-labelledby={idOf(tab)}
      hidden={tab !== current}
      className={classes.panel}
    >
      {children}
    </div>
  )
}
