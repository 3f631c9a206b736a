// Written by `npm run modules` from the folders of modules.
import { organisationTabs as provisioning } from '../provisioning/web/organisation-tabs.ts'

export const moduleOrganisationTabs = [...provisioning] as const
