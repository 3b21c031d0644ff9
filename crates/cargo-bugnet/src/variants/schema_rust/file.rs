//! The files of a library: its root, and every module that is declared from there.
//!
//! **Invariant:** a file is read once, and only if it is compiled into the library.

use super::super::mutation::SourceFile;
use super::cfg::Cfg;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use syn::{Item, ItemMod, Lit, Meta};

/// A parsed file.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) file: SourceFile,
    pub(super) syntax: syn::File,
}

/// Reads the library whose root is this file, below the folder of its package.
pub(super) fn read(package: &Path, root: &Path, cfg: &Cfg) -> Result<Vec<Parsed>> {
    let mut reader = Reader { package, cfg, found: Vec::new() };
    let folder = root.parent().unwrap_or(package).to_path_buf();
    reader.file(root, &folder)?;
    Ok(reader.found)
}

/// Returns those of some roots of programs and tests that declare a module whose file the library has, too.
pub(super) fn sharing(
    package: &Path,
    roots: &[PathBuf],
    cfg: &Cfg,
    library: &[SourceFile],
) -> Result<Vec<SourceFile>> {
    let mut found = Vec::new();
    for root in roots {
        let mut parsed = read(package, root, cfg)?.into_iter().map(|parsed| parsed.file);
        let Some(own) = parsed.next() else { continue };
        if parsed.any(|file| library.iter().any(|known| known.path == file.path)) {
            found.push(own);
        }
    }
    Ok(found)
}

struct Reader<'a> {
    package: &'a Path,
    cfg: &'a Cfg,
    found: Vec<Parsed>,
}

impl Reader<'_> {
    /// Reads a file whose modules lie in a folder.
    fn file(&mut self, path: &Path, folder: &Path) -> Result<()> {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
        let syntax = syn::parse_file(&text)
            .map_err(|error| anyhow::anyhow!("{}:{}: {error}", path.display(), error.span().start().line))?;
        if !self.cfg.holds(&syntax.attrs) {
            return Ok(());
        }
        let relative = path.strip_prefix(self.package).unwrap_or(path).to_path_buf();
        let place = self.found.len();
        self.found.push(Parsed { file: SourceFile { path: relative, text }, syntax });
        let items = std::mem::take(&mut self.found[place].syntax.items);
        let result = items.iter().try_for_each(|item| self.item(item, path, folder));
        self.found[place].syntax.items = items;
        result
    }

    fn item(&mut self, item: &Item, path: &Path, folder: &Path) -> Result<()> {
        match item {
            Item::Mod(module) if self.cfg.holds(&module.attrs) => self.module(module, path, folder),
            _ => Ok(()),
        }
    }

    fn module(&mut self, module: &ItemMod, path: &Path, folder: &Path) -> Result<()> {
        let name = module.ident.to_string();
        let name = name.trim_start_matches("r#");
        if let Some((_, items)) = &module.content {
            let inner = folder.join(named_path(module).unwrap_or_else(|| name.into()));
            return items.iter().try_for_each(|item| self.item(item, path, &inner));
        }
        if let Some(named) = named_path(module) {
            let path = path.parent().unwrap_or(folder).join(named);
            let folder = path.parent().unwrap_or(folder).to_path_buf();
            return if path.is_file() { self.file(&path, &folder) } else { Ok(()) };
        }
        let beside = folder.join(format!("{name}.rs"));
        let inside = folder.join(name).join("mod.rs");
        let found = [beside, inside].into_iter().find(|path| path.is_file());
        // A module that a macro or a build script makes has no file here.
        found.map_or(Ok(()), |path| self.file(&path, &folder.join(name)))
    }
}

/// Returns the path that a module names itself.
fn named_path(module: &ItemMod) -> Option<PathBuf> {
    module.attrs.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            syn::Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(PathBuf::from(text.value())),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    })
}
