import { useEffect } from 'react'
import { useLatest } from './loading/latest.ts'

const forms = new Set<() => boolean>()

/** Counts a form among those whose edits would be lost with the page, while `isDirty` says so. */
export const useUnsaved = (isDirty: () => boolean): void => {
  const latest = useLatest(isDirty)
  useEffect(() => {
    const form = (): boolean => latest.current()
    forms.add(form)
    return () => void forms.delete(form)
  }, [latest])
}

/** True while any form on the page holds edits that are not saved. */
export const hasUnsaved = (): boolean => [...forms].some((isDirty) => isDirty())
