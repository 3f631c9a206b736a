import { useEffect, useState } from 'react'
import { loadInPlace } from '../../../lib/loading/load-part.ts'
import { savesData } from '../../../lib/loading/may-read-ahead.ts'
import { turnOfOthers } from '../../../lib/loading/turns.ts'

/** Module that reads and checks the texts of options; with the schema library it is a fifth of the whole screen. */
type Checks = typeof import('./problem.ts')

let loaded: Checks | undefined

export const loadChecks = async (): Promise<Checks> => {
  loaded ??= await loadInPlace(() => import('./problem.ts'))
  return loaded
}

/** The checks, which come after the screen's data, or with the first edit. Undefined until then: nothing is said to be wrong. */
export const useChecks = (edited: boolean): Checks | undefined => {
  const [checks, setChecks] = useState(loaded)
  useEffect(() => {
    if (checks || (!edited && savesData())) return
    const load = async (): Promise<void> => {
      if (!edited) await turnOfOthers()
      setChecks(await loadChecks())
    }
    void load()
  }, [checks, edited])
  return checks
}
