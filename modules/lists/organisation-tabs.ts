// Written by `npm run modules` from the folders of modules.
import { organisationTabs as explore } from '../explore/web/organisation-tabs.ts'
import { organisationTabs as provisioning } from '../provisioning/web/organisation-tabs.ts'

export const moduleOrganisationTabs = [...explore, ...provisioning] as const
