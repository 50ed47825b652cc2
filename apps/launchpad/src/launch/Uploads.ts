import { RegistryError } from "@launch-registry/client"
import { registry } from "../registry/Connection.ts"
import { LINKS, type LinkKind } from "./Draft.ts"
import { issuesOf } from "./Issues.ts"
import { changeDraft, editDraft, launchShown, show } from "./LaunchStore.ts"
import { linkOf } from "./Links.ts"
import { type ChosenImage, chosenImage, previewOf, uploadOf } from "./SquareImage.ts"

const refuse = (image: string): void => show({ issues: { ...launchShown().issues, image } })

/** Has this square of an image be that of the token. */
export const cutTo = (chosen: ChosenImage): void => {
  editDraft({ picture: { uri: null, preview: previewOf(chosen) }, metadataUri: null }, ["image"])
  show({ chosen })
}

/** Takes an image that the user has chosen. */
export const takeImage = async (file: File): Promise<void> => {
  const chosen = await chosenImage(file)
  if (typeof chosen === "string") refuse(chosen)
  else cutTo(chosen)
}

/** Uploads the square that is used, and the next one if it was moved meanwhile. `false`: it is not there. */
const uploadImage = async (): Promise<boolean> => {
  const { chosen, draft } = launchShown()
  if (chosen === undefined || draft.picture?.uri !== null) return true
  show({ activity: "Uploading the image", failure: undefined })
  const body = { image: await uploadOf(chosen), fileName: chosen.file.name.slice(0, 200) }
  const answer = await registry.ipfs.uploadImage({ body })
  if (launchShown().chosen !== chosen) return uploadImage()
  if (answer.success) changeDraft({ picture: { ...draft.picture, uri: answer.data.imageUri } })
  else refuse(`It was not uploaded: ${answer.message}. Launching tries it again`)
  return answer.success
}

/** Uploads the image before the launch, so that a reload keeps it. */
export const uploadEarly = async (): Promise<void> => {
  if (launchShown().activity !== undefined) return
  try {
    await uploadImage()
  } finally {
    show({ activity: undefined })
  }
}

/** The details as they are sent: absent where nothing was entered. */
export const sentDetails = () => {
  const { details, picture } = launchShown().draft
  const { description, name, symbol } = details
  const links = LINKS.flatMap((kind) => (details[kind].trim() === "" ? [] : [[kind, linkOf(kind, details[kind])]]))
  return {
    ...{ name: name.trim(), symbol: symbol.trim() },
    ...(description.trim() !== "" && { description: description.trim() }),
    ...(Object.fromEntries(links) as Partial<Record<LinkKind, string>>),
    ...(picture !== null && picture.uri !== null && { imageUri: picture.uri }),
  }
}

/** Uploads the image and the metadata document, unless the one of these details is there. The same details give the same document. */
export const storeMetadata = async (): Promise<string | undefined> => {
  if (!(await uploadImage())) return undefined
  const { metadataUri } = launchShown().draft
  if (metadataUri !== null) return metadataUri
  show({ activity: "Storing the metadata" })
  const answer = await registry.ipfs.uploadMetadata({ body: sentDetails() })
  if (!answer.success) {
    const issues = issuesOf(answer)
    show(issues === undefined ? { failure: new RegistryError(answer) } : { issues })
    return undefined
  }
  changeDraft({ metadataUri: answer.data.metadataUri })
  return answer.data.metadataUri
}
