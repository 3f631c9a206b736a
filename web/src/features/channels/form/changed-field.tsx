import type { ReactNode } from 'react'
import { useChannelForm } from './form-parts.tsx'
import { memberIn, withMember } from './json-text.ts'
import { useTabMessages } from './tabs/tab-messages.ts'
import { changedSettings, type ValueName } from './tabs/tab-of.ts'
import classes from './tabs/tabs.module.css'

const longestShown = 60

interface ChangeProps {
  label: string
  /** The stored value and the one of the form; they are compared as JSON. */
  saved: unknown
  current: unknown
  onReset: () => void
  /** True for a key, whose stored value is not shown. */
  isSecret?: boolean
  children: ReactNode
}

const useSavedText = () => {
  const say = useTabMessages()
  return (saved: unknown, isSecret: boolean): string => {
    if (isSecret) return say('wasOther')
    const value = Array.isArray(saved) ? saved.join(', ') : saved
    if (value === undefined || value === '') return say('wasEmpty')
    if (typeof value === 'boolean') return say('was', { value: say(value ? 'on' : 'off') })
    const isShort = typeof value === 'number' || (typeof value === 'string' && value.length <= longestShown)
    return isShort ? say('was', { value: String(value) }) : say('wasOther')
  }
}

/** A field that differs from what is stored has a mark, the stored value and a way back to it. */
const Change = ({ label, saved, current, onReset, isSecret = false, children }: ChangeProps) => {
  const say = useTabMessages()
  const savedText = useSavedText()
  const isChanged = JSON.stringify(saved) !== JSON.stringify(current)
  return (
    <div className={classes.changedField} data-changed={isChanged || undefined}>
      {children}
      {isChanged && (
        <p className={classes.was}>
          {savedText(saved, isSecret)}
          <button type="button" className="text-button" aria-label={say('resetOf', { label })} onClick={onReset}>
            {say('reset')}
          </button>
        </p>
      )}
    </div>
  )
}

/** Marks the field of a value of the form where it differs from the stored channel. */
export const ChangedField = ({ name, label, children }: { name: ValueName; label: string; children: ReactNode }) => {
  const { form, saved } = useChannelForm()
  if (!saved) return children
  return (
    <Change
      label={label}
      saved={saved[name]}
      current={form.getValues()[name]}
      isSecret={name === 'key'}
      onReset={() => form.setFieldValue(name, saved[name])}
    >
      {children}
    </Change>
  )
}

/** The settings with a member as it is stored; the stored text itself once nothing else differs. */
const settingAfterReset = (saved: string, current: string, member: string): string => {
  const next = withMember(current, member, memberIn(saved, member))
  return changedSettings(saved, next).length === 0 ? saved : next
}

/** The same for a member of the settings. */
export const ChangedSetting = ({ member, label, children }: { member: string; label: string; children: ReactNode }) => {
  const { form, saved } = useChannelForm()
  if (!saved) return children
  const { setting } = form.getValues()
  const stored = memberIn(saved.setting, member)
  return (
    <Change
      label={label}
      saved={stored}
      current={memberIn(setting, member)}
      onReset={() => form.setFieldValue('setting', settingAfterReset(saved.setting, setting, member))}
    >
      {children}
    </Change>
  )
}
