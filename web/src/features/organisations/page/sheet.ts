import { useSearchParams } from '../../../lib/url/search-params.ts'

const kinds = ['invite', 'role', 'cap', 'team', 'project', 'key', 'transfer', 'provider'] as const
export type SheetKind = (typeof kinds)[number]

/** The sheet over the page, and the id that it is about: 0 for something new. A cap is of a member or a project. */
export interface OpenSheet {
  readonly kind: SheetKind
  readonly id: number
  readonly of: 'member' | 'project'
}

/** Reads `cap-project-7` or `invite`; undefined for anything else. */
export const readSheet = (text: string | undefined): OpenSheet | undefined => {
  const [, name, of = 'member', id = '0'] = /^([a-z]+)(?:-(member|project))?(?:-(\d{1,15}))?$/.exec(text ?? '') ?? []
  const kind = kinds.find((one) => one === name)
  return kind && { kind, id: Number(id), of: of === 'project' ? 'project' : 'member' }
}

/** Opens and closes sheets: each has an address of its own. */
export const useSheet = () => {
  const [search, setSearch] = useSearchParams()
  return {
    open: (text: string) => setSearch({ sheet: text }),
    close: () => setSearch({ sheet: undefined }),
    present: readSheet(search.sheet),
  }
}
