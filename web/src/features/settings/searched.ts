import { help } from 'virtual:options/help'
import { ownMember } from '@tollgate/contract/own-member'
import { type Key, optionOf, sectionOf } from './registry.ts'

export { allSections, keysOf, optionOf, sectionOf } from './registry.ts'

/** The searched text of an option: names, help and keys in both languages. */
export const searchText = (key: Key): string =>
  [{ zh: key, en: '' }, optionOf(key).label, ownMember(help, key), sectionOf(key)?.title]
    .map((words) => (words ? `${words.zh} ${words.en}` : ''))
    .join(' ')
    .toLowerCase()
