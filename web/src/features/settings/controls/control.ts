import { ownMember } from '@tollgate/contract/own-member'
import { createContext, useContext } from 'react'
import { textIn, useLanguage } from '../../../lib/i18n.ts'
import { useSettingMessages } from '../messages.ts'
import { type Key, optionOf, sectionOf } from '../registry.ts'
import type { FieldActions } from '../settings-state.ts'
import { wordsOf } from '../words.ts'

/**
 * The props of one field, all plain values: a field is drawn again only when one of them changes, so that typing stays
 * fast with many fields.
 */
export interface FieldState {
  readonly of: Key
  readonly text: string
  readonly draft: string | undefined
  readonly error: string | undefined
  readonly writable: boolean
  /** A secret that holds something. */
  readonly isStored: boolean
  /** The default as text; undefined while it is not known. */
  readonly standard: string | undefined
  /** Why the row in the database is not in use. */
  readonly problem: string | undefined
  readonly actions: FieldActions
}

export const FieldContext = createContext<FieldState | undefined>(undefined)

/** The common props of option controls: texts, value and change handler. */
export const useControl = () => {
  const say = useSettingMessages()
  const language = useLanguage()
  const field = useContext(FieldContext)
  if (!field) throw new Error('outside of a field')
  const { of, actions } = field
  const option = optionOf(of)
  const words = ownMember(wordsOf(sectionOf(of)?.tab ?? 'operation').options, of)
  return {
    ...field,
    say,
    language,
    option,
    label: textIn(option.label, language),
    help: words?.help && textIn(words.help, language),
    choices: words?.choices ?? [],
    edit: (text: string | undefined): void => actions.edit(of, text),
    /** The field was left. */
    leave: (): void => actions.check([of]),
  }
}
